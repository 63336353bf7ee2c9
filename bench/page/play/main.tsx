/** The playground: the real engine and simulator, in the reader's browser. */

import { render } from 'preact'
import { PageAddress } from './state/address.ts'
import { Playground } from './state/playground.ts'
import { App } from './view/app.tsx'

const playground = new Playground()
const address = new PageAddress(playground)
// The address is read first, so that nothing else is simulated before.
await address.start()
playground.start()
const place = document.getElementById('page')
if (place) {
  place.replaceChildren()
  render(<App playground={playground} address={address} />, place)
}
