/** Starts the live page. */

import { effect } from '@preact/signals'
import { render } from 'preact'
import { followAddress, route } from './model/route.ts'
import { startClock } from './model/server-clock.ts'
import { followSession } from './model/session.ts'
import { startStars } from './model/stars.ts'
import { followVisibility, pageState } from './model/watched-queue.ts'
import { App } from './pages/app.tsx'
import { followKeys } from './pages/keys.ts'
import { queueName } from './pieces/queue-name.ts'

followAddress()
startStars()
startClock()
followKeys()
followVisibility()
followSession()

effect(() => {
  const state = pageState.value
  const place = route.value
  const parts = [
    ...(place.page === 'pull request' ? [`#${place.number}`] : []),
    ...(state ? [queueName(state.queue)] : []),
    'Mergeyard',
  ]
  document.title = parts.join(' · ')
})

const place = document.getElementById('page')
if (place) render(<App />, place)
