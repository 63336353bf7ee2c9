/** What the fake answers to each operation, as GitHub does. */

import type { Route } from '../../forge/testing/call.ts'
import { checkRoutes } from './check-routes.ts'
import { deedRoutes } from './deed-routes.ts'
import { pullRoutes } from './pull-routes.ts'
import { repositoryRoutes } from './repository-routes.ts'
import { talkRoutes } from './talk-routes.ts'

export const routes: Readonly<Record<string, Route>> = {
  ...pullRoutes,
  ...deedRoutes,
  ...checkRoutes,
  ...talkRoutes,
  ...repositoryRoutes,
}
