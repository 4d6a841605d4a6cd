"""What many games tell, drawn."""
