import {
  IconBell,
  IconChartLine,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconLogin2,
  IconMessageChatbot,
  IconPlugConnected,
  IconRobot,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';

/** The screens of an application, in the order of the navigation. */
export const SCREENS = [
  { path: '', key: 'overview', icon: IconLayoutDashboard },
  { path: 'credentials', key: 'credentials', icon: IconKey },
  { path: 'bot', key: 'bot', icon: IconRobot },
  { path: 'events', key: 'events', icon: IconWebhook },
  { path: 'simulator', key: 'simulator', icon: IconMessageChatbot },
  { path: 'requests', key: 'requests', icon: IconListDetails },
  { path: 'usage', key: 'usage', icon: IconChartLine },
  { path: 'oauth', key: 'oauth', icon: IconLogin2 },
  { path: 'integrations', key: 'integrations', icon: IconPlugConnected },
  { path: 'alerts', key: 'alerts', icon: IconBell },
  { path: 'audit', key: 'audit', icon: IconHistory },
  { path: 'team', key: 'team', icon: IconUsers },
  { path: 'settings', key: 'settings', icon: IconSettings },
] as const;
