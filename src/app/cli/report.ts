export async function report(_runs: readonly string[], _options: { to?: string }): Promise<void> {}
