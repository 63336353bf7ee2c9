/** Keeps the address of the page and what is set the same, and reads files. */

import { effect, signal } from '@preact/signals'
import { type Address, fragmentOf, packed, readFragment, unpacked } from '../settings/fragment.ts'
import { type Playground, sourceOf } from './playground.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'

/** Browsers refuse addresses that change too often. */
const restMs = 300

/** A scenario with as many pull requests as the simulator is fast with is far smaller. */
const mostBytes = 5_000_000

export type Notice = { readonly isFault: boolean; readonly lines: readonly string[] }

export class PageAddress {
  /** What the reader must know about a link or a file. */
  readonly notice = signal<Notice | null>(null)
  readonly #playground: Playground
  #timer: number | undefined

  constructor(playground: Playground) {
    this.#playground = playground
  }

  /** Reads the address now and whenever the reader changes it, and writes it after each change. */
  async start(): Promise<void> {
    await this.#read()
    addEventListener('hashchange', () => void this.#read())
    effect(() => {
      const fragment = this.fragment
      clearTimeout(this.#timer)
      this.#timer = window.setTimeout(() => this.#write(fragment), restMs)
    })
  }

  /** What is set now; null if the scenario is too long for a link. */
  get fragment(): string | null {
    const { source, changes } = this.#playground
    const from = addressOf(source.value)
    return from && fragmentOf({ from, changes: changes.value })
  }

  /** The link to what is set now. */
  get link(): string | null {
    return this.fragment === null ? null : new URL(this.fragment, location.href).href
  }

  /** Takes a file of the reader as today's setting. */
  async open(file: File): Promise<void> {
    const scenario = await this.#scenarioIn(file, file.name)
    if (!scenario) return
    this.#playground.show({ kind: 'file', scenario, packed: await packed(scenario) }, {})
    this.notice.value = { isFault: false, lines: [`${file.name} is simulated.`] }
  }

  async #read(): Promise<void> {
    const { hash } = location
    if (hash !== '' && hash === this.fragment) return
    const { from, changes, unknown } = readFragment(hash)
    const line = `The link has parts that this page does not know: ${unknown.join(', ')}`
    this.notice.value = unknown.length === 0 ? null : { isFault: false, lines: [line] }
    if (from.kind === 'archetype') {
      this.#playground.show(sourceOf(from.name), changes)
      return
    }
    const text = await unpacked(from.packed).catch(() => null)
    const scenario = await this.#scenarioIn(text, 'the scenario of the link')
    if (scenario) this.#playground.show({ kind: 'file', scenario, packed: from.packed }, changes)
  }

  /**
   * Null: the notice says what is wrong with it. The check is large, so it is loaded with the first file. `name` is what
   * faults call it.
   */
  async #scenarioIn(file: Blob | string | null, name: string): Promise<Scenario | null> {
    const refused = (lines: readonly string[]): null => {
      this.notice.value = { isFault: true, lines }
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

  #write(fragment: string | null): void {
    const address = fragment ?? location.pathname
    if (fragment !== location.hash) history.replaceState(null, '', address)
  }
}

function addressOf(source: Playground['source']['value']): Address['from'] | null {
  if (source.kind === 'archetype') return { kind: 'archetype', name: source.name }
  return source.packed === null ? null : { kind: 'file', packed: source.packed }
}
