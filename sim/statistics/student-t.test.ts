import { describe, expect, test } from 'vitest'
import { studentQuantile, studentShare } from './student-t.ts'

describe("Student's t", () => {
  test('agrees with the printed tables', () => {
    const printed = [
      [0.975, 1, 12.706],
      [0.975, 2, 4.303],
      [0.975, 10, 2.228],
      [0.975, 30, 2.042],
      [0.95, 5, 2.015],
      [0.995, 5, 4.032],
      [0.9995, 20, 3.85],
      [0.975, 1e6, 1.96],
    ] as const
    for (const [p, degrees, t] of printed) {
      expect(studentQuantile(p, degrees)).toBeCloseTo(t, 2)
      expect(studentShare(t, degrees)).toBeCloseTo(p, 3)
    }
  })

  test('is symmetric around zero', () => {
    expect(studentQuantile(0.025, 7)).toBe(-studentQuantile(0.975, 7))
    expect(studentQuantile(0.5, 7)).toBeCloseTo(0, 12)
    expect(studentShare(-1.5, 7)).toBeCloseTo(1 - studentShare(1.5, 7), 12)
  })
})
