import type { Language } from '../lexicon.ts';

export const spanish: Language = {
  question:
    'quien organiza|quienes organizan|quien compro|quien adquirio|que|cual|cuales|donde|cuando|como|cuanto|cuanta|cuantos|cuantas|por que|es|son|era|fue|fueron|esta|estan|hay|ha|han|tiene|tienen|hizo|hicieron|muestra|muestrame|mostrar|lista|listar|dame|dime|busca|buscar|busco|encuentra|encontrar|quiero|necesito|por favor|exporta|exportar|descargar|en csv|csv|cuentame|informacion sobre|sabes|hubo|se fundo|se creo|sigue activa|sigue activo|sigue operando',
  empty:
    'exactamente|solamente|hasta la fecha|hasta ahora|en total|a menudo|con frecuencia|promedio|media de|media de los|media de las|media del|mediana|suma|el|la|los|las|un|una|unos|unas|del|al|lo|que|se|su|sus|me|mi|nos|les|le|con|para|por|como|pero|mas|muy|todo|todos|todas|toda|este|estos|estas|ese|esa|esos|sobre|total|dinero|financiacion|financiamiento|capital|recaudacion|dolares|monto|cantidad|valor|nombre|nombres|actualmente|ahora|recientemente|mejores|principales|nuevos|nuevas|ultimas noticias|enfocadas|enfocados|dedicadas|dedicados|relacionadas|sector|industria|mercado|acuerdos|numero|numeros|cripto|inversion|monto promedio|monto mediano|mediano',
  companies:
    'empresa|empresas|compania|companias|proyecto|proyectos|protocolo|protocolos|startup|startups|sociedad|sociedades|negocio|negocios|organizacion|organizaciones|plataformas|proveedores|emisores',
  people:
    'persona|personas|gente|fundador|fundadores|fundadora|cofundador|cofundadores|cofundadora|ponente|ponentes|orador|oradores|directivo|directivos|fundador de|fundadores de|cofundador de|cofundadores de|empleados de|equipo de|equipo',
  investors:
    'inversor de|inversor en|inversor|inversores|inversora|inversionista|inversionistas|fondo|fondos|fondo de inversion|fondos de inversion|fondos de capital riesgo|capital riesgo|capital de riesgo|inversores en|inversores de|inversores en comun|inversores comunes|inversionistas de',
  events: 'evento|eventos|conferencia|conferencias|cumbre|cumbres|encuentro|encuentros|congreso|congresos',
  rounds:
    'ticket|ticket medio|ticket promedio|cheque|cheques|cheque medio|ronda|rondas|ronda de financiacion|rondas de financiacion|ronda de inversion|rondas de inversion|ronda de financiamiento|rondas de financiamiento',
  largest:
    'mas recaudo|mas recaudaron|mas ha recaudado|mas han recaudado|top|mayores|mas grandes|mas grande|mayor|mas activos|mas activas|mas inversiones|mas rondas|mas financiadas|mas financiados|mas financiada|mejor financiadas',
  deals: 'mas inversiones|mas rondas',
  smallest: 'mas pequeno|mas pequena|mas pequenos|mas pequenas|menor|menores',
  oldest: 'mas antiguo|mas antigua|mas antiguos|mas antiguas',
  youngest: 'mas jovenes|mas nuevas|mas nuevos',
  latest: 'mas recientes|mas reciente',
  who: 'quien|quienes',
  in: 'en|en el|en la|con sede en|ubicadas en|ubicados en|basadas en|basados en|radicadas en',
  from: 'desde|de|a partir de',
  to: 'a|hasta',
  on: 'en la red|sobre la red|construidas en|construidos sobre',
  by: 'por',
  and: 'y|e|junto con',
  or: 'o|u',
  excluded: 'aparte|excluido|excluidos|excluida|excluidas',
  not: 'no|no en|fuera de|excepto|salvo|excluyendo|sin contar|sin incluir|aparte de',
  angels: 'inversor angel|inversores angel|inversores angeles',
  lacking: 'sin|ningun|ninguna|nunca',
  condition: 'hackeado|hackeados|hackeada|hackeadas|auditado|auditados|auditada|auditadas|rentables',
  unstated:
    'ticket|ticket medio|ticket promedio|cheque|cheques|cheque medio|quien organiza|quienes organizan|quien compro|quien adquirio|patrocinadores|patrocinadores de|organizador de|organizadores de|ingresos|facturacion|beneficios|capitalizacion de mercado|precio de|precio del',
  listed:
    'cotizadas|cotizada|que cotizan|que cotizan en bolsa|cotizan en bolsa|cotiza en bolsa|en bolsa|salieron a bolsa|salio a bolsa|salida a bolsa|salidas a bolsa',
  unrecorded:
    'organizado por|organizados por|organizada por|organizadas por|patrocinado por|patrocinados por|auditadas por|auditados por|estudiaron en|estudio en|graduados de|graduados en|graduado en',
  valued: 'valoracion|valoraciones|valoradas|valoradas en|unicornios',
  quiet: 'nada desde entonces|nada desde|nada mas|nada despues|nunca mas',
  led: 'lideradas por|liderada por|liderados por|liderado por|dirigida por|dirigidas por|encabezada por|lidero|lideraron|ha liderado|han liderado|lidera|lideran|lideradas|liderada',
  backed:
    'respaldadas por|respaldados por|respaldada por|respaldado por|financiadas por|financiados por|financiada por|apoyadas por|invertidas por|en la cartera de|cartera de',
  backs:
    'inversor de|inversor en|respaldo|respaldaron|respalda|financio|financiaron|financia|invirtio|invirtieron|ha invertido|han invertido|invierte|invierten|invirtio en|invirtieron en|invierte en|invierten en|inversores en|inversores de|inversionistas de|invertido en|ha invertido en|han invertido en|participaron en|participo en|participaron en la ronda de',
  founds:
    'fundo|fundaron|creo|crearon|fundador de|fundadores de|cofundador de|cofundadores de|fundadas|fundados|fundada|fundado|creadas|creadas en|establecidas',
  foundedBy: 'fundada por|fundadas por|fundado por|fundados por|creada por|creadas por|creado por',
  works: 'trabaja en|trabajan en|trabajo en|trabajaron en|trabaja para|trabajan para|empleados de|equipo de',
  raised:
    'mas recaudo|mas recaudaron|mas ha recaudado|mas han recaudado|recaudo|recaudaron|recaudado|recaudaron dinero|ha recaudado|han recaudado|levanto|levantaron|cerro|cerraron|consiguieron|obtuvieron|recibieron',
  lastRound: 'cuya ultima ronda|cuya ultima ronda fue|ultima ronda fue',
  held: 'celebrados|celebradas|que se celebran|tendra lugar|tendran lugar',
  upcoming: 'que vienen',
  common: 'comun|comunes|en comun|inversores en comun|inversores comunes|comparten',
  coInvestors:
    'coinversor|coinversores|co inversores|coinvierte con|coinvierten con|invierte con|invierten con|invertido con|invirtio con|invierte junto a|invierten junto a|invertido junto a',
  funding: 'financiacion|financiamiento|capital',
  speaks: 'habla|hablan|hablo|hablara|participa en|participan en|habla en|hablan en|interviene en',
  titles:
    'ingeniero|ingenieros|investigador|investigadores|quien dirige|director ejecutivo|directora ejecutiva|director general|directora general',
  per: 'por|por cada|anual|anualmente|trimestral|mensual',
  connected: 'conectado|conectados|conectadas|conecta|conexion entre|relacion entre|camino entre',
  versus: 'comparar|compara|comparacion|diferencia|diferencia entre|diferencias entre',
  likeness: 'similar|similares|alternativa|alternativas|competidor|competidores',
  lastUpdated: 'actualizado recientemente|actualizados recientemente|actualizadas recientemente|recien actualizadas',
  updated: 'actualizado|actualizados|actualizadas',
  employees: 'numero de empleados|numero de empleados de|empleados|trabajadores',
  investments: 'inversiones|inversion',
  over: 'mas de|superior a|superiores a|por encima de',
  min: 'al menos|por lo menos|como minimo|minimo',
  under: 'menos de|inferior a|inferiores a|por debajo de',
  max: 'como maximo|hasta un maximo de|maximo',
  around: 'alrededor de|aproximadamente|cerca de|unos|~',
  between: 'entre',
  after: 'despues de|despues del|tras|posterior a',
  since: 'desde el|desde|a partir de|a partir del',
  before: 'antes de|antes del|anterior a',
  until: 'hasta el|hasta finales de',
  orMore: 'o mas|en adelante|o posterior',
  orLess: 'o menos|o anterior',
  last: 'pasado|pasada|ultimo|ultima|ultimos|ultimas|anterior',
  this: 'este|esta|actual|en curso',
  next: 'proximo|proxima|proximos|proximas|siguiente|que viene',
  year: 'ano|anos',
  quarter: 'trimestre|trimestres',
  half: 'semestre|semestres',
  month: 'mes|meses',
  week: 'semana|semanas',
  day: 'dia|dias',
  ago: 'hace|ayer|manana',
  thousand: 'mil',
  million: 'millon|millones|mdd|m',
  billion: 'mil millones|billon|billones',
  currency: 'dolares|dolar|usd',
  months: 'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre,setiembre|octubre|noviembre|diciembre',
  groups:
    'ano,anos,anual,anualmente|trimestre,trimestres,trimestral|mes,meses,mensual|pais,paises|ciudad,ciudades|etapa,etapas,fase,fases|categoria,categorias,sector,sectores,industria|cadena,cadenas,red,redes|inversor,inversores|inversor principal|empresa,empresas|organizacion,empleador|tipo de evento|tipo de inversor|ano de fundacion|tipo,tipos|estado',
  numbers: 'un,una,sola,unica|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce',
  ordinals: 'primer,primero|segundo|tercer,tercero|cuarto',
  thirds: 'principios,inicios,comienzos|mediados|finales,fines',
  seasons: 'primavera|verano|otono',
};
