/**
 * The scopes of tokens. The OpenAPI document lists for each operation the scopes that may call it.
 *
 * - read: read only
 * - report: read, report test runs, set impacted targets
 * - submit: read, submit, cancel, restart, set impacted targets, link tickets
 * - admin: everything
 */

export const scopes = ['read', 'report', 'submit', 'admin'] as const
export type Scope = (typeof scopes)[number]

export function isScope(value: unknown): value is Scope {
  return scopes.some((scope) => scope === value)
}
