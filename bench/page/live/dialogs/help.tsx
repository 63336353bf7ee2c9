/** What the marks mean, and the keys. */

import type { VNode } from 'preact'
import { StateWord } from '../../parts/mark.tsx'
import { words, type Look } from '../../parts/looks.ts'
import { closeDialog, DialogFrame } from './frame.tsx'

const meanings: Readonly<Record<Look, string>> = {
  'not-ready': 'submitted, but something is missing before it may start',
  waiting: 'has its place and waits for a slot or a batch',
  testing: 'its tests run',
  passed: 'its tests passed; it merges when those before it have',
  held: 'its tests failed; the groups behind are awaited before that counts',
  bisecting: 'its batch failed, and parts of it are tested',
  merged: 'is on the branch',
  failed: 'breaks the tests, and has left the queue',
  conflicted: 'cannot be built on top of those before it',
  lost: 'a run without a verdict; it is repeated',
  cancelled: 'was taken out, or a run that nobody needs any more',
}

const keys = [
  ['/', 'find a pull request'],
  ['j and k', 'next and previous pull request'],
  ['Enter', 'open it'],
  ['?', 'this help'],
  ['Esc', 'close'],
] as const

const isLook = (text: string): text is Look => text in words

export function HelpDialog(): VNode {
  return (
    <DialogFrame title="Help">
      <h3>Marks</h3>
      <dl class="help">
        {Object.keys(words)
          .filter(isLook)
          .map((look) => (
            <div key={look}>
              <dt>
                <StateWord look={look} />
              </dt>
              <dd>{meanings[look]}</dd>
            </div>
          ))}
      </dl>
      <h3>Keys</h3>
      <dl class="help">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="buttons">
        <button type="button" onClick={closeDialog}>
          Close
        </button>
      </p>
    </DialogFrame>
  )
}
