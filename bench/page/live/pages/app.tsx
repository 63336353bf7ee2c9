/** The whole page. */

import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { Dialogs } from '../dialogs/dialogs.tsx'
import { route } from '../model/route.ts'
import { isSigningIn, maySee, me, meError } from '../model/session.ts'
import { saying } from '../model/speech.ts'
import { pageState, unwatch, watch } from '../model/watched-queue.ts'
import { PullRequestView } from '../pull-request/pull-request-view.tsx'
import { Chooser } from './chooser.tsx'
import { QueuePage } from './queue-page.tsx'
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
