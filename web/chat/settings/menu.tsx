import {
  IconAppWindow,
  IconBan,
  IconBell,
  IconChevronRight,
  IconEye,
  IconLanguage,
  IconLink,
  IconPhotoShield,
  IconUser,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';
import classes from './menu.module.css';

const WAYS = [
  { to: 'account', icon: IconUser },
  { to: 'invite', icon: IconLink },
  { to: 'notifications', icon: IconBell },
  { to: 'appearance', icon: IconLanguage },
  { to: 'privacy', icon: IconEye },
  { to: 'media', icon: IconPhotoShield },
  { to: 'applications', icon: IconAppWindow },
  { to: 'blocked', icon: IconBan },
] as const;

/** Links to all settings. */
export function Component() {
  const t = useTexts();
  return (
    <Page title={t('chat.settings.title')}>
      <ul className={classes.menu}>
        {WAYS.map(({ to, icon: Icon }) => (
          <li key={to}>
            <Link to={`/settings/${to}`} className={classes.way}>
              <Icon size={22} aria-hidden="true" />
              <span className={classes.words}>
                <span className={classes.title}>{t(`chat.settings.${to}`)}</span>
                <span className={classes.lead}>{t(`chat.settings.${to}Lead`)}</span>
              </span>
              <IconChevronRight size={18} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
