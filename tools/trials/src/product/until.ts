/** Looks again and again until there is something; says what it waited for when that does not come about. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  withinMs: number,
  everyMs = 100,
): Promise<T> {
  let trouble: string;
  for (const end = Date.now() + withinMs; ;) {
    try {
      const value = await look();
      if (value !== null && value !== undefined && value !== false) return value;
      trouble = '';
    } catch (error) {
      trouble = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (Date.now() > end) throw new Error(`waited ${Math.round(withinMs / 1000)} s in vain for ${what}${trouble}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
