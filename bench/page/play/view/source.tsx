/** Which team is simulated, and the files and links in and out. */

import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { type ArchetypeName, isArchetypeName, storms, teams } from '../settings/archetype-names.ts'
import { changesAtFirst } from '../settings/changes.ts'
import { linkToThis, open } from '../state/address.ts'
import { scenario, show, source, sourceOf } from '../state/playground.ts'

const title = (name: string): string => {
  const words = name.replaceAll('-', ' ').replace(/\bci\b/, 'CI')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function Source(): VNode {
  const today = source.value
  const chosen = today.kind === 'archetype' ? today.name : 'file'
  return (
    <section class="source" aria-label="Scenario">
      <div class="source-row row">
        <label>
          <span class="small soft">Team or storm</span>
          <select
            value={chosen}
            onChange={({ currentTarget: { value } }) => {
              if (isArchetypeName(value)) show(sourceOf(value), changesAtFirst)
            }}
          >
            {today.kind === 'file' && <option value="file">{today.scenario.name}</option>}
            <Group label="Teams" names={teams} />
            <Group label="Storms" names={storms} />
          </select>
        </label>
        <Files />
      </div>
      <p class="soft" dir="auto">
        {today.scenario.description ?? 'A scenario of your own.'}
      </p>
    </section>
  )
}

function Group({ label, names }: { label: string; names: readonly ArchetypeName[] }): VNode {
  return (
    <optgroup label={label}>
      {names.map((name) => (
        <option key={name} value={name}>
          {title(name)}
        </option>
      ))}
    </optgroup>
  )
}

function Files(): VNode {
  return (
    <div class="buttons row">
      <CopyLink />
      <label class="as-button sheet">
        Open a scenario…
        <input
          class="unseen"
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) void open(file)
            // The same file again must be read again.
            currentTarget.value = ''
          }}
        />
      </label>
      <button type="button" onClick={() => download(scenario.value)}>
        Download
      </button>
    </div>
  )
}

function CopyLink(): VNode {
  const shown = useSignal<{ readonly said: string; readonly link: string | null } | null>(null)
  const copy = async (): Promise<void> => {
    const link = linkToThis()
    if (link === null) {
      shown.value = { said: 'This scenario is too long for a link: download it instead.', link }
      return
    }
    try {
      await navigator.clipboard.writeText(link)
      shown.value = { said: 'Copied.', link: null }
    } catch {
      // Browsers copy only for pages that came over https or from the same machine.
      shown.value = { said: 'Copy this link:', link }
    }
  }
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        Copy link
      </button>
      <span class="said small soft" role="status">
        {shown.value?.said}{' '}
        {shown.value !== null && shown.value.link !== null && (
          <input readonly aria-label="Link" value={shown.value.link} />
        )}
      </span>
    </>
  )
}

// Gives the reader a scenario as a file.

function download(given: Scenario): void {
  const text = `${JSON.stringify(given, null, 2)}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${given.name}.json`
  link.click()
  // A browser reads it after the click.
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 60_000)
}
