import { createTemplate } from './database.ts';

export async function globalSetup(): Promise<void> {
  await createTemplate();
}
