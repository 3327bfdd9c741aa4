/* What a reader can try on the page: a word, a test, an index. */
