/** The whole page. */

import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { Dialogs } from '../dialogs/dialogs.tsx'
import { TheLine } from '../line/the-line.tsx'
import { route } from '../model/route.ts'
import { isSigningIn, maySee, me, meError } from '../model/session.ts'
import { saying } from '../model/speech.ts'
import { pageState, unwatch, watch } from '../model/watched-queue.ts'
import { queueName } from '../pieces/queue-name.ts'
import { PullRequestView } from '../pull-request/pull-request-view.tsx'
import { Answer } from '../queue/answer.tsx'
import { Banners } from '../queue/banners.tsx'
import { Ended } from '../queue/ended.tsx'
import { Opening } from '../queue/opening.tsx'
import { WaitingTable } from '../queue/waiting.tsx'
import { Yours } from '../queue/yours.tsx'
import { TrendCards } from '../trends/trend-cards.tsx'
import { Chooser } from './chooser.tsx'
import { SignIn } from './sign-in.tsx'
import { Top } from './top.tsx'

export function App(): VNode {
  const place = route.value
  const queue = 'queue' in place && maySee.value ? place.queue : null
  useEffect(() => {
    if (queue === null) unwatch()
    else watch(queue)
  }, [queue])
  const sequence = pageState.value?.sequence
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Top />
      <main
        id="content"
        tabIndex={-1}
        {...(sequence === undefined ? {} : { 'data-sequence': sequence })}
      >
        <Content />
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {saying}
      </p>
      <Dialogs />
    </>
  )
}

function Content(): VNode {
  const place = route.value
  if (me.value === null) return <Asking />
  if (!maySee.value || isSigningIn.value) return <SignIn />
  switch (place.page) {
    case 'queues':
      return <Chooser />
    case 'queue':
      return <QueuePage />
    case 'pull request':
      return <PullRequestView key={`${place.queue} ${place.number}`} {...place} />
    case 'unknown':
      return (
        <>
          <h1>No such page</h1>
          <p>
            <a href="/">All queues</a>
          </p>
        </>
      )
  }
}

function Asking(): VNode {
  return meError.value === null ? (
    <p class="soft">Loading…</p>
  ) : (
    <p class="error" role="alert">
      {meError.value}
    </p>
  )
}

// The page of a queue: the answer first, then what is yours, the line, and the rest.

function QueuePage(): VNode {
  const state = pageState.value
  if (!state) return <Opening />
  return (
    <>
      <h1 class="unseen">
        Queue <bdi>{queueName(state.queue)}</bdi>
      </h1>
      <Banners queue={state.queue} />
      <Answer state={state} />
      <Yours state={state} />
      <TheLine state={state} />
      <WaitingTable state={state} />
      <div class="halves">
        <Ended queue={state.queue.id} rows={state.ended} />
        <TrendCards queue={state.queue.id} />
      </div>
    </>
  )
}
