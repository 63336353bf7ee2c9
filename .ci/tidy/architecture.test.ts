import { describe, expect, test } from 'vitest'
import { type Diagram, diagramFrom, diagramUnder, faultsOfRooms } from './architecture.ts'
import { cyclesIn } from './cycles.ts'
import { repositoryImports, type Import } from './imports.ts'
import { repositoryFiles } from './repository.ts'

const files = repositoryFiles()
const paths = files.map(({ path }) => path)
const page = files.find(({ path }) => path === '.github/ARCHITECTURE.md')?.text ?? ''

/** Each text is one import, written as `sim/run/a.ts > sim/world/b.ts`. */
const importsFrom = (...texts: readonly string[]): Import[] =>
  texts.map((text) => {
    const [from = '', to = ''] = text.split(' > ')
    return { from, specifier: `${'../'.repeat(from.split('/').length - 1)}${to}`, place: from }
  })

test('the picture of the architecture page agrees with the imports', () => {
  const diagram = diagramUnder('## Rooms', page)
  expect(diagram.boxes.length).toBeGreaterThan(20)
  expect(cyclesIn(diagram.arrows)).toEqual([])
  const advice = 'update .github/ARCHITECTURE.md or the imports'
  expect(faultsOfRooms(diagram, repositoryImports(), paths), advice).toEqual([])
})

describe('a diagram', () => {
  test('is read with its groups, boxes and arrows', () => {
    const text = `flowchart TD
      subgraph sim
        direction TB
        runs["run · world<br/>in simulated time"]
      end
      subgraph engine
        rules["rules"]
      end
      runs --> rules
      sim --> engine`
    expect(diagramFrom(text)).toEqual({
      groups: ['sim', 'engine'],
      boxes: [
        { id: 'runs', label: 'run · world', group: 'sim' },
        { id: 'rules', label: 'rules', group: 'engine' },
      ],
      arrows: [
        { from: 'runs', to: 'rules' },
        { from: 'sim', to: 'engine' },
      ],
    })
  })

  test('given an unknown line or an unknown box, reading it throws', () => {
    expect(() => diagramFrom('flowchart TD\na["a"] --> b["b"]')).toThrow('unknown syntax: a[')
    expect(() => diagramFrom('a["a"]\na --> b')).toThrow('leads to or from b: add a box')
    expect(() => diagramUnder('## Rooms', '## Others\n```mermaid\n```\n')).toThrow('no diagram')
  })
})

describe('rooms', () => {
  const diagram: Diagram = diagramFrom(`
    subgraph sim
      top["files at the top"]
      runs["run · judge"]
      worlds["world"]
    end
    subgraph engine
      model["model"]
    end
    top --> runs
    runs --> worlds
    sim --> engine`)
  const asShown = [
    'sim/cli.ts > sim/run/a.ts',
    'sim/run/a.ts > sim/world/a.ts',
    'sim/judge/a.ts > engine/model/a.ts',
  ]
  const rooms = [
    'sim/cli.ts',
    'sim/run/a.ts',
    'sim/judge/a.ts',
    'sim/world/a.ts',
    'engine/model/a.ts',
  ]
  const faults = (more: readonly string[], at: readonly string[] = rooms): string[] =>
    faultsOfRooms(diagram, importsFrom(...asShown, ...more), at)

  test('may import rooms further down the arrows; tests may import any room below their folder', () => {
    expect(faults(['sim/cli.ts > sim/world/a.ts', 'sim/world/a.ts > engine/model/a.ts'])).toEqual(
      [],
    )
    const tests = ['sim/world/a.test.ts > sim/run/a.ts', 'sim/testing/a.ts > engine/model/a.ts']
    expect(faults(tests)).toEqual([])
  })

  test.each([
    ['against the direction of an arrow', 'sim/world/a.ts > sim/run/a.ts'],
    ['from a room in the same box', 'sim/run/a.ts > sim/judge/a.ts'],
    ['from a folder above', 'engine/model/a.ts > sim/run/a.ts'],
    ['from a folder that is not drawn', 'sim/run/a.ts > .ci/tidy/a.ts'],
    ['from a folder above, in a test', 'engine/model/a.test.ts > sim/testing/a.ts'],
  ])('may not import %s', (_title, text) => {
    expect(faults([text])).toEqual([expect.stringContaining(text.split(' > ')[0] ?? '')])
  })

  test('must all be drawn once, and each arrow needs an import', () => {
    expect(faults([], [...rooms, 'sim/new/a.ts', 'sim/testing/a.ts'])).toEqual([
      'sim/new is not drawn',
    ])
    expect(faults([], rooms.slice(1))).toEqual(['sim is drawn twice, or does not exist'])
    const twice = { ...diagram, boxes: [...diagram.boxes, ...diagram.boxes.slice(-1)] }
    expect(faultsOfRooms(twice, importsFrom(...asShown), rooms)).toEqual([
      'engine/model is drawn twice, or does not exist',
    ])
    expect(faultsOfRooms(diagram, importsFrom(...asShown.slice(1)), rooms)).toEqual([
      'no import for the arrow from top to runs',
    ])
  })
})
