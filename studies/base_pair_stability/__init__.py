"""Zhang, Sneyd and Stevenson (2020): whether measures of bias agree with themselves when the base pair changes."""
