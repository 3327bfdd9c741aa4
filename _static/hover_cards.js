/* Cards that explain a term, a citation or a claim where it stands. */
