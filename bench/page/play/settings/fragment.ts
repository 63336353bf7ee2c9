/**
 * What is set, as the fragment of the page's address, which a browser sends to no server:
 * `#from=small-team&slots=4`. Only what differs from the archetype is named.
 */

import { type ArchetypeName, firstArchetype, isArchetypeName } from './archetype-names.ts'
import { base64url } from '../worker/browser-digest.ts'
import { isNameIn } from '../../../queues/names-in.ts'
import { type Changes, allowed, changesAtFirst, fieldNames } from './changes.ts'
import { fields } from './fields.ts'

export type Address = {
  /** An archetype, or a scenario of the reader's own, packed. */
  readonly from:
    | { readonly kind: 'archetype'; readonly name: ArchetypeName }
    | { readonly kind: 'file'; readonly packed: string }
  readonly changes: Changes
}

export type ReadAddress = Address & {
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
    else if (isNameIn(fields, name) && text !== '' && Number.isFinite(value)) {
      changes[name] = allowed(name, value)
    } else unknown.push(name === 'from' ? text : name)
  }
  return { from, changes: parts.length === 0 ? changesAtFirst : changes, unknown }
}

// A scenario as text that fits into a link.

/** A longer link is cut off by some programs that people send it with. */
export const longestPacked = 6000

/** A link from anybody may hold anything, so it may not unpack to more than this. */
const mostUnpacked = 2_000_000

/** Returns the document compressed, in base64url; null if it is too long for a link. */
export async function packed(document: unknown): Promise<string | null> {
  const text = new Blob([JSON.stringify(document)]).stream()
  const bytes = new Uint8Array(
    await new Response(text.pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
  )
  const result = base64url(bytes)
  return result.length > longestPacked ? null : result
}

/** Returns the text of a packed document. Throws if it is none, or too long. */
export async function unpacked(text: string): Promise<string> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Uint8Array.from(atob(base64), (each) => each.codePointAt(0) ?? 0)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return checkedText(stream, mostUnpacked)
}

/** The text of a stream. Throws as soon as it is longer than allowed. */
async function checkedText(stream: ReadableStream<Uint8Array>, mostBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = stream.getReader()
  let text = ''
  let bytes = 0
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes += piece.value.length
    if (bytes > mostBytes) {
      await reader.cancel()
      throw new Error(`longer than ${mostBytes} bytes`)
    }
    text += decoder.decode(piece.value, { stream: true })
  }
  return text + decoder.decode()
}
