import { useEffect } from 'react';
import { api } from '../api.ts';
import { useLanguage } from '../texts.ts';

/** Tells the server in which language the person reads, so that its own messages to them are in it. */
export function useToldLanguage(accountId: string | undefined): void {
  const language = useLanguage();
  useEffect(() => {
    if (accountId === undefined) return;
    // The next page load tells it again.
    api.put('/api/auth/language', { language }).catch(() => undefined);
  }, [accountId, language]);
}
