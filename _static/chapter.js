/* A chapter: the switch that shows all code. */
