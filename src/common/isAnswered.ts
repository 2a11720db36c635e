/** Whether a question is answered, in whatever way, within so many milliseconds. */
export async function isAnswered(question: PromiseLike<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const answer = Promise.resolve(question).then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
