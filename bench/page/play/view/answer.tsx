/** The answer: the most important figures, each beside that of today's setting. */

import type { VNode } from 'preact'
import { changeOf, mainFigures, textOf } from '../figures/figures.ts'
import type { Playground } from '../state/playground.ts'

export function Answer({ playground }: { playground: Playground }): VNode {
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
