/**
 * What a token may do. Each operation names the scopes that may call it, in the OpenAPI document.
 *
 * read: look; report: also tell verdicts and impacted targets; submit: also submit, cancel,
 * restart, link tickets and tell targets; admin: everything.
 */

export const scopes = ['read', 'report', 'submit', 'admin'] as const
export type Scope = (typeof scopes)[number]

export function isScope(word: unknown): word is Scope {
  return scopes.some((scope) => scope === word)
}
