/** Proof that the page simulates what the command simulates: the same hash of the whole trace. */

import type { VNode } from 'preact'
import { simCommand } from '../settings/command.ts'
import { settingsOf } from '../settings/changes.ts'
import type { Playground } from '../state/playground.ts'

export function Check({ playground }: { playground: Playground }): VNode {
  const { hash } = playground.results
  const source = playground.source.value
  const file =
    source.kind === 'archetype' ? `scenarios/${source.name}.json` : `${source.scenario.name}.json`
  const command = simCommand(file, settingsOf(source.scenario, playground.changes.value))
  const isBusy = playground.isHashWanted.value && hash.value === null
  return (
    <section class="card" aria-labelledby="check-title">
      <h2 id="check-title">The same in your terminal</h2>
      <p>
        <code class="command">{command}</code>
      </p>
      <p class="check">
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => {
            playground.isHashWanted.value = true
          }}
        >
          Check the hash
        </button>{' '}
        <span role="status">
          {isBusy && 'Simulating again, with a hash of every command and event…'}
          {hash.value !== null && (
            <>
              <code class="hash">{hash.value}</code> If the command prints the same{' '}
              <code>traceHash</code>, not one event differs.
            </>
          )}
        </span>
      </p>
    </section>
  )
}
