/** What other queues would do with the same pull requests. */

import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import {
  barsOf,
  isShownMeasure,
  shownMeasures,
  type Bar,
  type ShownMeasure,
} from '../figures/compared.ts'
import type { Results } from '../state/results.ts'

export function Others({ results }: { results: Results }): VNode {
  const measure = useSignal<ShownMeasure>('time to land p50')
  const bars = barsOf(results.others.value, measure.value)
  const missing = (results.expected.value ?? bars.length + 1) - bars.length
  const isBusy = !results.isComplete.value
  const isCut = bars.some((bar) => bar.isCut)
  return (
    <section class="card" aria-labelledby="others-title" aria-busy={isBusy}>
      <div class="card-head">
        <h2 id="others-title">What other queues would do</h2>
        <label>
          <span class="unseen">Measure</span>
          <select
            value={measure.value}
            onChange={({ currentTarget: { value } }) => {
              if (isShownMeasure(value)) measure.value = value
            }}
          >
            {Object.entries(shownMeasures).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </div>
      <table class={isBusy ? 'bars-table is-stale' : 'bars-table'}>
        <thead class="unseen">
          <tr>
            <th scope="col">Queue</th>
            <th scope="col">{shownMeasures[measure.value]}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <BarRow key={bar.name} bar={bar} />
          ))}
        </tbody>
      </table>
      <p class="soft">
        {isBusy ? `${missing} more to come. ` : ''}
        Models of their queues, with the same pull requests, lengths and flakes, without cancels,
        pushes, priorities and faults. All have as many slots, so the bisections of Mergeyard take
        some of its own, and an evicted healthy pull request comes again, after 15 minutes unless
        the scenario says otherwise. So the figure of Mergeyard is not the one above. Shorter is
        better
        {isCut ? '; a bar with a jagged end is longer than the scale' : ''}.{' '}
        <code>npm run compare</code> says how sure that is.
      </p>
    </section>
  )
}

function BarRow({ bar }: { bar: Bar }): VNode {
  const kind = bar.name === 'Mergeyard' ? 'own' : bar.isReference ? 'reference' : 'other'
  return (
    <tr>
      <th scope="row">
        <span title={bar.about}>{bar.name}</span>
        {bar.isReference && <small> knows what fails</small>}
      </th>
      <td>
        <span
          class={`bar is-${kind}${bar.isCut ? ' is-cut' : ''}`}
          style={{ width: `${Math.round(bar.share * 1000) / 10}%` }}
        />
        <span class="value">{bar.text}</span>
      </td>
    </tr>
  )
}
