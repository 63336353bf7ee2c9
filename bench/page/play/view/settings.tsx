/** Everything that can be set, in groups. */

import type { VNode } from 'preact'
import type { FieldName } from '../settings/fields.ts'
import type { Playground } from '../state/playground.ts'
import { FieldRow } from './field-row.tsx'

const groups: readonly { readonly title: string; readonly names: readonly FieldName[] }[] = [
  { title: 'Your team', names: ['traffic', 'median', 'p95', 'breaks', 'flakes'] },
  { title: 'Your queue', names: ['slots', 'batch', 'wait', 'depth', 'optimistic'] },
  { title: 'The draw', names: ['seed'] },
]

export function Settings({ playground }: { playground: Playground }): VNode {
  const hasChanges = Object.keys(playground.changes.value).length > 0
  return (
    <form class="settings" id="settings" tabIndex={-1} onSubmit={(event) => event.preventDefault()}>
      <div class="settings-head">
        <h2>Settings</h2>
        <button
          type="button"
          aria-disabled={!hasChanges}
          onClick={() => {
            if (hasChanges) playground.resetAll()
          }}
        >
          All as today
        </button>
      </div>
      {groups.map(({ title, names }) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          {names.map((name) => (
            <FieldRow key={name} name={name} playground={playground} />
          ))}
        </fieldset>
      ))}
    </form>
  )
}
