/** Objects of GitHub's API, and what holds the fake to GitHub's own document. */

import { fillerOf } from '../../forge/testing/filled.ts'
import { Published } from '../../forge/testing/published.ts'

export const published = new Published('github')

export const filled = fillerOf(published.document)
