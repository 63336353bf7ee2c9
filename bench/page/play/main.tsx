/** The playground: the real engine and simulator, in the reader's browser. */

import { render } from 'preact'
import { followAddress } from './state/address.ts'
import { startSimulating } from './state/playground.ts'
import { App } from './view/app.tsx'

// The address is read first, so that nothing else is simulated before.
await followAddress()
startSimulating()
const place = document.getElementById('page')
if (place) {
  place.replaceChildren()
  render(<App />, place)
}
