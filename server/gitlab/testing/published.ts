/** Holds the fake to what GitLab publishes of its API. */

import { Published } from '../../forge/testing/published.ts'

export const published = new Published('gitlab')
