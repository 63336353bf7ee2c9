/** Keeps the address of the page and what is set the same, and reads files. */

import { effect, signal } from '@preact/signals'
import { type ArchetypeName, firstArchetype, isArchetypeName } from '../settings/archetype-names.ts'
import { type Changes, allowed, fieldNames, isFieldName } from '../settings/changes.ts'
import { readScenario } from '../source/read-file.ts'
import { type Playground, sourceOf } from './playground.ts'

/** Browsers refuse addresses that change too often. */
const restMs = 300

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
    const { scenario, faults } = await readScenario(file, file.name)
    if (!scenario) {
      this.notice.value = { isFault: true, lines: faults }
      return
    }
    this.#playground.show({ kind: 'file', scenario, packed: await packed(scenario) }, {})
    this.notice.value = { isFault: false, lines: [`${file.name} is simulated.`] }
  }

  async #read(): Promise<void> {
    const { hash } = location
    if (hash !== '' && hash === this.fragment) return
    const { from, changes, unknown } = readFragment(hash)
    const lines =
      unknown.length === 0
        ? []
        : [`The link has parts that this page does not know: ${unknown.join(', ')}`]
    this.notice.value = lines.length === 0 ? null : { isFault: false, lines }
    if (from.kind === 'archetype') {
      this.#playground.show(sourceOf(from.name), changes)
      return
    }
    const text = await unpacked(from.packed).catch(() => null)
    if (text === null) {
      const line = 'The link is damaged: it holds no scenario. Ask for it again.'
      this.notice.value = { isFault: true, lines: [line] }
      return
    }
    const { scenario, faults } = await readScenario(text, 'the scenario of the link')
    if (scenario) this.#playground.show({ kind: 'file', scenario, packed: from.packed }, changes)
    else this.notice.value = { isFault: true, lines: faults }
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

// A scenario as text that fits into a link.

/** A longer link is cut off by some programs that people send it with. */
export const longestPacked = 6000

/** A link from anybody may hold anything, so it may not unpack to more than this. */
const mostBytes = 2_000_000

/** Returns the document compressed, in base64url; null if it is too long for a link. */
export async function packed(document: unknown): Promise<string | null> {
  const text = new Blob([JSON.stringify(document)]).stream()
  const bytes = new Uint8Array(
    await new Response(text.pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
  )
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
  const result = base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return result.length > longestPacked ? null : result
}

/** Returns the text of a packed document. Throws if it is none, or too long. */
export async function unpacked(text: string): Promise<string> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Uint8Array.from(atob(base64), (each) => each.codePointAt(0) ?? 0)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return checkedText(stream, mostBytes)
}

/** The text of a stream. Throws as soon as it is longer than allowed. */
async function checkedText(stream: ReadableStream<Uint8Array>, most: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = stream.getReader()
  let text = ''
  let bytes = 0
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes += piece.value.length
    if (bytes > most) {
      await reader.cancel()
      throw new Error(`longer than ${most} bytes`)
    }
    text += decoder.decode(piece.value, { stream: true })
  }
  return text + decoder.decode()
}

// What is set, as the fragment of the page's address, which a browser sends to no server:
// `#from=small-team&slots=4`. Only what differs from the archetype is named.

type Address = {
  /** An archetype, or a scenario of the reader's own, packed. */
  readonly from:
    | { readonly kind: 'archetype'; readonly name: ArchetypeName }
    | { readonly kind: 'file'; readonly packed: string }
  readonly changes: Changes
}

type ReadAddress = Address & {
  /** Parts of the fragment that say nothing to this page. */
  readonly unknown: readonly string[]
}

export function fragmentOf({ from, changes }: Address): string {
  const parts = new URLSearchParams()
  if (from.kind === 'archetype') parts.set('from', from.name)
  else parts.set('file', from.packed)
  for (const name of fieldNames) {
    const value = changes[name]
    if (value !== undefined) parts.set(name, String(value))
  }
  return `#${parts.toString()}`
}

/** Reads a fragment. What it cannot read it leaves out, and names it. */
export function readFragment(fragment: string): ReadAddress {
  const parts = [...new URLSearchParams(fragment.replace(/^#/, ''))]
  const unknown: string[] = []
  let from: Address['from'] = { kind: 'archetype', name: firstArchetype }
  const changes: { -readonly [Name in keyof Changes]: Changes[Name] } = {}
  for (const [name, text] of parts) {
    const value = Number(text)
    if (name === 'from' && isArchetypeName(text)) from = { kind: 'archetype', name: text }
    else if (name === 'file') from = { kind: 'file', packed: text }
    else if (isFieldName(name) && text !== '' && Number.isFinite(value)) {
      changes[name] = allowed(name, value)
    } else unknown.push(name === 'from' ? text : name)
  }
  return { from, changes, unknown }
}
