/**
 * What is set, as the fragment of the page's address, which a browser sends to no server:
 * `#from=small-team&slots=4`. Only what differs from the archetype is named.
 */

import { firstArchetype, isArchetypeName, type ArchetypeName } from './archetype-names.ts'
import { allowed, fieldNames, isFieldName, type Changes } from './changes.ts'

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
    else if (isFieldName(name) && text !== '' && Number.isFinite(value)) {
      changes[name] = allowed(name, value)
    } else unknown.push(name === 'from' ? text : name)
  }
  return { from, changes, unknown }
}
