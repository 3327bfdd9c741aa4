"""What the chapter asks before anything is measured: does a lean in the vectors foretell what an application does?"""
