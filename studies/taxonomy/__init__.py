"""What Hitti, Jang, Moreno & Pelletier (2019) filtered out of nine books, what a crowd said of it, and how often nouns mark a sex."""
