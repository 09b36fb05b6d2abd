project = 'Pages with a calculator'
html_theme = 'furo'
html_title = project
html_copy_source = False
