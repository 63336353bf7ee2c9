/** Objects of Gitea's API, and what holds the fake to Gitea's own document. */

import { fillerOf } from '../../forge/testing/filled.ts'
import { Published } from '../../forge/testing/published.ts'

export const published = new Published('gitea')

export const filled = fillerOf(published.document)
