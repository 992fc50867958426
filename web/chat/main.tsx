import { startApp } from '../ui/app/app.tsx';
import { routes } from './routes.tsx';

startApp(routes, { basename: '/' });
