"""What checks and writes by program what is tedious by hand: notebooks, reference, loose ends, PDFs."""
