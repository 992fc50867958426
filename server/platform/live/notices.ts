import type { Notices } from '#contract/notices.ts';

/** The current announcements and maintenance, as this process knows them. */
export class CurrentNotices {
  #notices: Notices = { announcements: [] };

  get maintenance(): Notices['maintenance'] {
    return this.#notices.maintenance;
  }

  /** Those that end by themselves are left out once they have. */
  announcementsAt(now: number): Notices['announcements'] {
    return this.#notices.announcements.filter(({ endsAt }) => endsAt === undefined || now < endsAt);
  }

  /** False where this was known. */
  take(notices: Notices): boolean {
    if (JSON.stringify(notices) === JSON.stringify(this.#notices)) return false;
    this.#notices = notices;
    return true;
  }
}
