"""What a person looks at: tables, pictures and pages made from the results of a run.

Nothing here simulates. `reports.tables` formats numbers, `reports.figures` draws pictures and
`reports.html` makes one self-contained page of both. Matplotlib is imported by the modules that draw
and by nothing else.
"""
