/** The whole page: the answer first, then what can be set, the line, and comparisons. */

import type { VNode } from 'preact'
import { changeOf, mainFigures, textOf } from '../figures/figures.ts'
import { Picture } from '../picture/picture.tsx'
import type { PageAddress } from '../state/address.ts'
import type { Playground } from '../state/playground.ts'
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

// The answer: the most important figures, each beside that of today's setting.

function Answer({ playground }: { playground: Playground }): VNode {
  const { figures, today, isStale } = playground.results
  return (
    <section
      class={isStale.value ? 'answer is-stale' : 'answer'}
      aria-label="The answer"
      aria-busy={isStale.value}
    >
      <dl class="tiles">
        {mainFigures.map((figure) => {
          const [now, before] = [figures.value, today.value].map((all) => all && figure.of(all))
          const hasBoth = typeof now === 'number' && typeof before === 'number'
          const change = hasBoth ? changeOf(figure, now, before) : null
          return (
            <div key={figure.name}>
              <dt>{figure.name}</dt>
              <dd>{figures.value ? textOf(figure, figures.value) : '…'}</dd>
              <dd class="beside">
                {today.value ? (
                  <>
                    <span class={change?.tone ?? 'soft'}>{change?.text}</span>
                    {change && ', '}
                    <span class="today">today {textOf(figure, today.value)}</span>
                  </>
                ) : (
                  'today’s setting'
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      <p class="busy" aria-hidden={!isStale.value}>
        Simulating…
      </p>
    </section>
  )
}
