/** Shows the page. */

import { render } from 'preact'

const place = document.getElementById('page')
if (place) render(<h1>Hello</h1>, place)
