import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { notesIn } from '../files/notes.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { KeptMemory } from './observed-pulls.ts'

test('what could not be written is written by the next save', async () => {
  const folder = `${temporaryFolder()}/hosts`
  writeFileSync(folder, 'a file is in the way')
  const notes = notesIn(`${folder}/notes.json`)
  const kept = new KeptMemory(notes)
  kept.change({ lastComment: 7 })
  await expect(kept.save()).rejects.toThrow('EEXIST')
  rmSync(folder)
  await kept.save()
  expect(new KeptMemory(notes).memory.lastComment).toBe(7)
})
