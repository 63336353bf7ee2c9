/** The dialog that is open. */

import type { VNode } from 'preact'
import { question } from '../model/act.ts'
import { pageState } from '../model/watched-queue.ts'
import { HelpDialog } from './help.tsx'
import { PullRequestDialog } from './pull-request.tsx'
import { QueueDialog } from './queue.tsx'
import { SubmissionDialog } from './submission.tsx'

export function Dialogs(): VNode | null {
  const asked = question.value
  if (asked === null) return null
  if (asked.about === 'help') return <HelpDialog />
  const state = pageState.value
  if (state === null) return null
  switch (asked.about) {
    case 'pull request':
      return <PullRequestDialog state={state} number={asked.number} />
    case 'queue':
      return <QueueDialog state={state} first={asked.action ?? null} />
    case 'submission':
      return <SubmissionDialog state={state} />
  }
}
