/** All figures as a table, beside those of today's setting. */

import type { VNode } from 'preact'
import { changeOf, furtherFigures, mainFigures, textOf, type Figure } from '../figures/figures.ts'
import type { Figures } from '../../../../sim/result/result-document.ts'
import type { Playground } from '../state/playground.ts'

export function Comparison({ playground }: { playground: Playground }): VNode {
  const { figures, today } = playground.results
  const now = figures.value
  const before = today.value
  return (
    <section class="card" aria-labelledby="figures-title">
      <h2 id="figures-title">
        {before ? 'Today and with your settings' : 'Today’s setting in figures'}
      </h2>
      <div class="scroll" role="region" aria-label="All figures" tabIndex={0}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Figure</th>
              {before && <th scope="col">Today</th>}
              <th scope="col">{before ? 'Yours' : 'Today'}</th>
              {before && <th scope="col">Change</th>}
            </tr>
          </thead>
          <tbody>
            {now &&
              [...mainFigures, ...furtherFigures].map((figure) => (
                <Row key={figure.name} figure={figure} now={now} before={before} />
              ))}
          </tbody>
        </table>
      </div>
      <p class="soft">
        One draw, with seed {now?.seed ?? 1}. Small differences may be luck: try another seed, or
        let <code>npm run tune</code> try many.
      </p>
    </section>
  )
}

type RowProps = {
  readonly figure: Figure
  readonly now: Figures
  readonly before: Figures | null
}

function Row({ figure, now, before }: RowProps): VNode {
  const [value, today] = [figure.of(now), before && figure.of(before)]
  const change = value !== null && today !== null ? changeOf(figure, value, today) : null
  return (
    <tr>
      <th scope="row">{figure.name}</th>
      {before && <td>{textOf(figure, before)}</td>}
      <td>{textOf(figure, now)}</td>
      {before && <td class={change?.tone ?? 'soft'}>{change?.text ?? ''}</td>}
    </tr>
  )
}
