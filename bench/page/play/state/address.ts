/** Keeps the address of the page and what is set the same, and reads files. */

import { computed, effect, signal } from '@preact/signals'
import { type Address, fragmentOf, packed, readFragment, unpacked } from '../settings/fragment.ts'
import { changes, show, source, sourceOf } from './playground.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'

/** Browsers refuse addresses that change too often. */
const restMs = 300

/** A scenario with as many pull requests as the simulator is fast with is far smaller. */
const mostBytes = 5_000_000

export type Notice = { readonly isFault: boolean; readonly lines: readonly string[] }

/** What the reader must know about a link or a file. */
export const notice = signal<Notice | null>(null)

/** What is set now; null if the scenario is too long for a link. */
const fragment = computed(() => {
  const from = addressOf(source.value)
  return from && fragmentOf({ from, changes: changes.value })
})

/** The link to what is set now. */
export const linkToThis = (): string | null =>
  fragment.value === null ? null : new URL(fragment.value, location.href).href

/** Reads the address now and whenever the reader changes it, and writes it after each change. */
export async function followAddress(): Promise<void> {
  await read()
  addEventListener('hashchange', () => void read())
  let timer = 0
  effect(() => {
    const written = fragment.value
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      if (written !== location.hash) history.replaceState(null, '', written ?? location.pathname)
    }, restMs)
  })
}

/** Takes a file of the reader as today's setting. */
export async function open(file: File): Promise<void> {
  const scenario = await scenarioIn(file, file.name)
  if (!scenario) return
  show({ kind: 'file', scenario, packed: await packed(scenario) }, {})
  notice.value = { isFault: false, lines: [`${file.name} is simulated.`] }
}

async function read(): Promise<void> {
  const { hash } = location
  if (hash !== '' && hash === fragment.value) return
  const { from, changes: requested, unknown } = readFragment(hash)
  const line = `The link has parts that this page does not know: ${unknown.join(', ')}`
  notice.value = unknown.length === 0 ? null : { isFault: false, lines: [line] }
  if (from.kind === 'archetype') return show(sourceOf(from.name), requested)
  const text = await unpacked(from.packed).catch(() => null)
  const scenario = await scenarioIn(text, 'the scenario of the link')
  if (scenario) show({ kind: 'file', scenario, packed: from.packed }, requested)
}

/**
 * Null: the notice says what is wrong with it. The check is large, so it is loaded with the first file. `name` is what
 * faults call it.
 */
async function scenarioIn(file: Blob | string | null, name: string): Promise<Scenario | null> {
  const refused = (lines: readonly string[]): null => {
    notice.value = { isFault: true, lines }
    return null
  }
  if (file === null) {
    return refused(['The link is damaged: it holds no scenario. Ask for it again.'])
  }
  if (typeof file !== 'string' && file.size > mostBytes) {
    return refused([`${name}: larger than 5 MB; use npm run sim instead`])
  }
  const [{ parseScenario }, { BadInput }] = await Promise.all([
    import('../../../../sim/scenario/check.ts'),
    import('../../../../server/terminal/bad-input.ts'),
  ])
  try {
    const text = typeof file === 'string' ? file : new Uint8Array(await file.arrayBuffer())
    return parseScenario(text, name)
  } catch (error) {
    if (error instanceof BadInput) return refused(error.lines)
    throw error
  }
}

function addressOf(from: typeof source.value): Address['from'] | null {
  if (from.kind === 'archetype') return { kind: 'archetype', name: from.name }
  return from.packed === null ? null : { kind: 'file', packed: from.packed }
}
