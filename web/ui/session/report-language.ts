import { useEffect } from 'react';
import { callAuth } from '../api.ts';
import { useLanguage } from '../texts.ts';

/** Reports the page's language to the server, which uses it for messages of its own. */
export function useReportLanguage(accountId: string | undefined): void {
  const language = useLanguage();
  useEffect(() => {
    if (accountId === undefined) return;
    // The next page load repeats it.
    callAuth('PUT /language', { body: { language } }).catch(() => undefined);
  }, [accountId, language]);
}
