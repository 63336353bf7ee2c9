/** The whole page: the answer first, then what can be set, the line, and comparisons. */

import type { VNode } from 'preact'
import type { PageAddress } from '../state/address.ts'
import type { Playground } from '../state/playground.ts'
import { Picture } from '../picture/picture.tsx'
import { Answer } from './answer.tsx'
import { Check } from './check.tsx'
import { Comparison } from './comparison.tsx'
import { DropZone } from './drop-zone.tsx'
import { Notices } from './notices.tsx'
import { Others } from './others.tsx'
import { Settings } from './settings.tsx'
import { Source } from './source.tsx'

type Props = { readonly playground: Playground; readonly address: PageAddress }

export function App({ playground, address }: Props): VNode {
  return (
    <DropZone onFile={(file) => void address.open(file)}>
      <a class="skip" href="#settings">
        Skip to the settings
      </a>
      <header class="top">
        <h1>Mergeyard playground</h1>
        <p class="soft">
          A merge queue with your traffic. The real engine runs in your browser; nothing is sent
          anywhere.
        </p>
      </header>
      <main>
        <Source playground={playground} address={address} />
        <Notices playground={playground} address={address} />
        <Answer playground={playground} />
        <div class="table">
          <Settings playground={playground} />
          <div class="views">
            <Picture reel={playground.results.reel} isStale={playground.results.isPictureStale} />
            <Comparison playground={playground} />
            <Others results={playground.results} />
            <Check playground={playground} />
          </div>
        </div>
      </main>
    </DropZone>
  )
}
