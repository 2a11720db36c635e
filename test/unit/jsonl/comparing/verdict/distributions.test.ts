import assert from 'node:assert/strict';
import { logGamma, normalCdf, normalQuantile, studentCdf, studentQuantile } from '../../../../../src/jsonl/comparing/verdict/distributions';

/** Asserts that two numbers are equal within a relative error. */
function near(actual: number, expected: number, relative = 1e-10): void {
  assert.ok(Math.abs(actual - expected) <= relative * Math.max(1e-12, Math.abs(expected)), `${actual} is not ${expected}`);
}

describe('jsonl/comparing/verdict/distributions', () => {
  it('returns the published values of the gamma function, small and large', () => {
    near(logGamma(0.5), 0.5723649429247001);
    near(logGamma(10), Math.log(362_880));
    near(logGamma(100), 359.1342053695754);
    near(logGamma(100_001), 1_051_299.2218991218);
  });

  it('returns the normal distribution of the tables, with its tails', () => {
    near(normalQuantile(0.975), 1.959963984540054);
    near(normalQuantile(0.8), 0.8416212335729143);
    near(normalCdf(-3.7), 0.00010779973347738823);
    near(normalCdf(-6), 9.865876450376946e-10);
    near(normalCdf(1.959963984540054), 0.975);
    assert.equal(normalCdf(0), 0.5);
  });

  it("returns Student's t of the tables, from 1 to 99,999 degrees of freedom", () => {
    near(studentQuantile(0.025, 1), -12.706204736174705);
    near(studentQuantile(0.025, 9), -2.2621571627982053);
    near(studentQuantile(0.025, 99_999), -1.9599877077718448, 1e-8);
    near(studentCdf(-2.5, 9), 0.016930913841492867);
    near(studentCdf(2.5, 9), 1 - 0.016930913841492867);
  });
});
