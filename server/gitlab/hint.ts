/** Where a webhook of GitLab says to look. Nothing else is read of it: the API says what is true. */

import type { NamedHint } from '../forge/hook.ts'
import { tagStart } from '../forge/news.ts'
import { recordIn, shaIn, textIn, type Json } from '../forge/payload.ts'
import type { Hint } from '../hosting/forge.ts'

/** Null: it is about nothing that a queue looks at. */
export function hintOf(event: string, payload: unknown): NamedHint | null {
  const root = recordIn(payload)
  const repository = textIn(recordIn(root['project'])['path_with_namespace'])
  if (repository === '') return null
  const found = about(event, root)
  return found && { repository, pulls: [], commits: [], hasComment: false, ...found }
}

function about(event: string, root: Json): Partial<Hint> | null {
  const attributes = recordIn(root['object_attributes'])
  switch (event) {
    case 'Merge Request Hook':
      return { pulls: iidIn(attributes) }
    case 'Note Hook': {
      // What this server has written itself comes back, and is nothing new.
      if (textIn(attributes['note']).startsWith(tagStart)) return null
      const isOnMergeRequest = attributes['noteable_type'] === 'MergeRequest'
      return isOnMergeRequest ? { hasComment: true, pulls: iidIn(root['merge_request']) } : null
    }
    case 'Pipeline Hook':
      return { commits: shaIn(attributes['sha']) }
    case 'Job Hook':
      return { commits: shaIn(root['sha']) }
    case 'Push Hook':
      return {}
    default:
      return null
  }
}

function iidIn(value: unknown): number[] {
  const { iid } = recordIn(value)
  return typeof iid === 'number' ? [iid] : []
}
