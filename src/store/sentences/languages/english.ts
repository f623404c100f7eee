/** The meanings of words and phrases, which the other languages have as well. */
export const english = {
  question:
    'which one|which angel|status of|the status of|which foundation|who organises|who organizes|who organised|who organized|who hosts|who sponsors|who bought|tagged|tagged as|count of|number of|on record|what|which|whats|where|wheres|when|why|how|how much|how many|how many people work at|how many people work for|how old|does|do|did|is|are|was|were|be|been|can|could|would|will|shall|should|has|have|had|show|show me|list|list all|whole|entire|complete|give|give me|tell|tell me|tell us|show us|give us|tell us about|find|find me|get|get me|search|search for|look for|looking for|look up|i need|i want|i am|im|please|pls|tell me about|what happened to|what happened with|what has happened to|anything about|everything about|something about|information about|info about|details about|do you know|any idea|explain|describe|export|download|csv|as csv|in csv|as a csv|csv file|as a csv file|as a table|in a table|spreadsheet|how recent|how fresh|how current|the data on|the data about|the data for|source of|sources of|sources for|source for|source that|proof that|proof for|evidence that|evidence for|evidence of|citation for|reference for|announcement of|announcement for|announcement link|announcement link of|announcement link for|link to|link to the|link to announcement of|link to the announcement of|link to the source of|press release for|press release of|the source say|the source say about|sources say about|record of|the record of|the record for|ticker|ticker symbol|token symbol|count|rank|do you have|have you got|do you have any|do you have data about|do you have data on|data about|data on|summarize|summarise|breakdown of|who acquired|who has acquired|who took over|who owns|what is behind|distribution|distribution of',
  empty:
    'next generation|next gen|a|an|the|one of|one of the|anyone|anybody|exactly|shortest|of|of all time|all time|to date|so far|overall|in total|altogether|often|frequently|usually|for|s|but|to|that|this|these|those|there|their|them|they|it|its|he|she|his|her|we|our|you|your|my|me|i|us all|as|so|too|also|again|else|some|any|all|each|every|both|most|more|many|much|very|really|only|just|currently|now|right now|today|recently|already|ever|still|with|about|into|than|then|if|while|during|between them|among|per|via|up|out|did the|money|funding|funds raised|capital raised|total|amount|total amount|combined|done|date|dates|sum|worth|value|dollars|usd|us dollars|people think|kind|kinds|type|types|name|names|called|named|number|known|active|average|mean|median|size|sizes|alive|still alive|operating|based|located|headquartered|gave|gives|given|awarded|tag|tags|category|categories|news|latest news|contract address|token address|exist|exists|happen|happens|happened|happening|take place|takes place|taking place|going on|focus|focused|focuses|focusing|focus on|specialise|specialize|specializes|work|works|worked|working|work on|works on|build|builds|building|use|uses|using|make|makes|best|newly|famous|popular|important|major|leading|new|good|great|deal|deals|investment|investments|made|linkedin|twitter|website|websites|homepage|contact|profile|ceo name|announced|announce|announces|related|concerning|regarding|involved|space|sector|industry|field|area|market|world|web3|crypto|crypto space|behind|ecosystem|ecosystems|hey|hi|hello|u|thx|thanks|quick|single|on record|avg|left out|left over|in the database|in your database|in the dataset|in the data|recorded|tracked|sorted|ranked|ordered|small|big|large|huge|tiny|fy|fiscal year|calendar year|history|timeline|lately|of late|these days|took place|who now run|who now runs|now run|now runs|title|role|position|job title|write|writes|writing|deploy|deploys|deployed|capital deployed|capital invested|deployed capital|saw|witnessed',
  companies:
    'company|companies|recipient|recipients|grantee|grantees|startup|startups|start up|start ups|firm|firms|business|businesses|project|projects|protocol|protocols|organisation|organisations|organization|organizations|portfolio companies|platforms|providers|issuers|apps|dapps|vendors|cos|studio|studios|teams|ecosystem|ecosystems|unicorns|unicorn companies|unicorn startups',
  people:
    'person|people|founder|founders|cofounder|cofounders|co founder|co founders|speaker|speakers|speaker at|speakers at|speakers of|employee of|team member|team members|individuals|individual|executive|executives|somebody|someone|founder of|founders of|co founder of|cofounder of|co founders of|cofounders of|employees of|employees at|people at|people from|team of|team at|staff of|folks|alumni|alumni of|alumni from|solo founder|solo founders|single founder|single founders|women founders|serial founders|serial founder|serial entrepreneurs|serial entrepreneur|the team at|team behind|team members of|team members at',
  investors:
    'foundations|which foundation|new funds|new vcs|new vc funds|new venture funds|new investors|giver|givers|grantor|grantors|investor of|common investors|shared investors|mutual investors|investors in common|investor|investors|co investor|co investors|coinvestor|coinvestors|fund|funds|vc|vcs|venture capital|venture capitalist|venture capitalists|venture capital firm|venture capital firms|vc firm|vc firms|vc fund|vc funds|venture fund|venture funds|venture firm|venture firms|venture investor|venture investors|vc investor|vc investors|crypto fund|crypto funds|crypto vc|crypto vcs|investment fund|investment funds|backer|backers|investment firm|investment firms|investors in|investors of|investors behind|investor in|backers of|to pitch|to pitch to|i pitch|i pitch to|should i pitch|should i pitch to|should we pitch|can i pitch|could i pitch|unique investors|distinct investors|different investors|investor names|vcs behind|funds behind|shareholder|shareholders|shareholders of|shareholders in',
  events:
    'event|events|conference|conferences|summit|summits|meetup|meetups|hackathon|hackathons|gathering|gatherings|festival|festivals|workshop|workshops|side event|side events|editions|editions of|edition of',
  rounds:
    'megaround|megarounds|mega round|mega rounds|in one round|in a round|in a single round|in one single round|deal count|deal counts|fundraising|round|rounds|deal size|deal sizes|round size|round sizes|check size|check sizes|checks|cheque|cheques|cheque size|cheque sizes|ticket size|ticket sizes|investment size|investment sizes|first round|first funding round|funding round|funding rounds|financing round|financing rounds|fundraise|fundraises|raise|raises|financing|financings|investment round|investment rounds|grants|down round|down rounds|up round|up rounds|flat round|flat rounds|fund raising|check of',
  largest:
    'the most prolific|the most active|the busiest|hottest|most capital|the most capital|largest|biggest|highest|top|most|most common|most commonly|most frequent|most frequently|most often|most funded|best funded|highest funded|top funded|biggest funded|largest funded|most highly funded|most heavily funded|most well funded|most active|most investments|the most investments|most deals|the most deals|the most|largest first|biggest first|highest first|most active first|most funded first|by amount|by size|by funding|by number of deals|by number of investments|by deals|by investments|largest amount|most money|most money raised|priciest|most prolific|busiest|favourite|favorite|best year|strongest year|peak year|record year|best quarter|strongest quarter|peak quarter|record quarter|best month|strongest month|peak month|record month|was best for|is best for|was the best for|is the best for|was strongest for|was the strongest for',
  deals:
    'the most prolific|the most active|the busiest|most deals|the most deals|most investments|the most investments|by number of deals|by number of investments|by deals|by investments|most prolific|most active|least active|busiest|favourite|favorite',
  smallest:
    'smallest|lowest funded|worst funded|lowest|tiniest|fewest|the fewest|least|the least|least active|least capital|the least capital|least money|the least money|least funded|smallest first|worst year|weakest year|slowest year|worst quarter|weakest quarter|slowest quarter|worst month|weakest month|slowest month|was worst for|was the worst for|was weakest for|was the weakest for',
  oldest:
    'first round|first funding round|oldest|earliest|oldest first|first invest|first invested|first back|first backed|first fund|first funded|first deal|first deals|first investment|first investments|first invest in|first invested in|first ever|first lead|first led',
  youngest: 'youngest|newest|most recently founded|recently founded|newly founded|recently launched|recently started',
  latest:
    'latest|newest|most recent|recent|latest first|newest first|most recent first|recently funded|recently raised|newly funded|just raised|just funded|last invest|last invested|last back|last backed|last fund|last funded|last invest in|last invested in|invested recently|invested in recently|backed recently|funded recently|raised recently|last lead|last led|recently lead|recently led|most recently led',
  who: 'who|who backs|who is backing|who funds|who funded|who finances|whos|whom|whose',
  in: 'in|at|inside|within|near|based in|located in|headquartered in|based out of|hq in|in the',
  from: 'from|starting from|starting|beginning|went from|gone from|go from|progressed from|advanced from|moved from',
  to: 'to|until|till|up to and including',
  on: 'on|built on|running on|deployed on|on the|on top of|native to|that support|that supports|supporting|compatible with',
  by: 'by|done by|made by',
  and: 'and|&|plus|together with|as well as',
  or: 'or',
  excluded: 'aside|set aside|put aside|excluded|left out|not included|not counted',
  not: 'minus|ignoring|disregarding|omitting|leaving out|leaving aside|not counting|not including|not|no longer|not in|outside|outside of|except|excluding|other than|besides|apart from|aside from|all but|not based in|not by|but not by|not from|but not from|and not by|havent|hasnt|have not|has not|didnt|did not|arent|isnt|wasnt|werent|dont|doesnt|wont|hadnt',
  angels: 'which angel|angel investor|angel investors|business angel|business angels|angels',
  lacking: 'no|unknown|with no|without|without any|lacking|never|neither|nor|nobody|no one',
  condition:
    'new funds|new vcs|new vc funds|new venture funds|new investors|undisclosed|not disclosed|hacked|audited|profitable|female|women founders|women investors|women led|woman led|down round|down rounds|up round|up rounds|flat round|flat rounds|start a company|to start a company|start their own company|to start their own company|started their own company|started a company|started their own|started companies|upcoming ipo|upcoming ipos|ipo candidate|ipo candidates|planning an ipo|planning to go public|filed for an ipo|will go public|going public|about to go public|stopped investing|no longer investing|with a token|with token|with tokens|have a token|has a token|have tokens|solo founder|solo founders|single founder|single founders|raising now|currently fundraising|fundraising now|raising right now|currently raising|now raising|still raising|will raise|going to raise|about to raise|likely to raise|fastest growing|growing fastest|growing the fastest|serial founders|serial founder|serial entrepreneurs|serial entrepreneur|percentage|percentage of|percent of|proportion of|fraction of|share of|market share of|ratio of|growth of|growth in|growth rate|increase in|decrease in|decline in|bootstrapped|self funded|most common round size|typical round size',
  unstated:
    'check size|check sizes|checks|cheque|cheques|cheque size|cheque sizes|ticket size|ticket sizes|who organises|who organizes|who organised|who organized|who hosts|sponsor|sponsors|sponsor of|sponsors of|who sponsors|who bought|acquirer of|acquirers of|organiser of|organizer of|organisers of|organizers of|net worth|market cap|market capitalization|revenue|revenues|profit|profits|tvl|total value locked|trading volume|token price|share price|stock price|price of|prices of|hack of|hacks of|exploit of|exploits of|attendees|visitors|users|customers|market share|board of|on the board of|board member|board members|board member of|board members of|hiring|salary|salaries|phone number|email|email address|spring of|summer of|autumn of|fall of|winter of|spring|summer|autumn|winter|followers|twitter followers|aum|under management|assets under management|fund size|fund sizes|burn rate|carried interest|who acquired|who has acquired|who took over|who owns|acquirer|acquirers|check of',
  listed:
    'went public|go public|gone public|publicly listed|publicly traded|public company|public companies|listed company|listed companies|listed on a stock exchange|listed on the stock exchange|listed on the stock market|listed on nasdaq|listed on the nasdaq|listed on nyse|listed on the nyse|on the stock exchange|on the stock market|ipo|ipos|ipoed|had an ipo|did an ipo',
  unrecorded:
    'organised by|organized by|hosted by|run by|sponsored by|audited by|studied at|who studied at|study at|studied in|graduated from|graduates of|graduates from|educated at|went to school at|degree from|phd from|dropped out of|dropouts of|partnered with|integrated with|integrates with',
  valued:
    'valued|valued at|valuation|valuations|worth|most valuable|highest valued|unicorns|unicorn companies|unicorn startups',
  quiet:
    'nothing since|nothing since then|nothing after|nothing after that|nothing more|none since|not since|not since then|no round since|no rounds since|no funding since|never again',
  led: 'led by|lead by|led|lead|leads|co led by|coled by|co led|coled|co lead with|co leads with|co led with|co led rounds with|co led deals with|co lead rounds with|co leading with|first lead|first led|last lead|last led|recently lead|recently led|most recently led|is leading|was leading|co lead|co leads|co leading|is lead investor|is lead|is co lead investor|is co lead|is the lead investor|is the lead|is a lead investor|is a lead|is a co lead investor|is a co lead|was lead investor|was lead|was co lead investor|was co lead|was the lead investor|was the lead|was a lead investor|was a lead|was a co lead investor|was a co lead|as lead investor|as lead|as co lead investor|as co lead|as the lead investor|as the lead|as a lead investor|as a lead|as a co lead investor|as a co lead|are lead investors|are co leads|are co lead investors|were lead investors|were co leads|were co lead investors|as lead investors|as co leads|acted as lead investor|acted as lead|acted as co lead investor|acted as co lead|acted as the lead investor|acted as the lead|acted as a lead investor|acted as a lead|acted as a co lead investor|acted as a co lead',
  backed:
    'portfolio|angel portfolio|portfolio companies|backed by|funded by|financed by|supported by|invested in by|portfolio of|angel portfolio of|in the portfolio of|with investment from|with money from|with funding from|money from|funding from|raised from|raised money from|got money from',
  backs:
    'investor of|to pitch|to pitch to|i pitch|i pitch to|should i pitch|should i pitch to|should we pitch|can i pitch|could i pitch|would fund|could fund|might fund|would back|might back|would invest in|could invest in|might invest in|both invested in|both backed|both funded|both fund|both back|both invest in|who funds|who funded|who finances|invest in|invests in|invested in|invested|investing in|invest at|invests at|investors in|investors of|investors behind|investor in|backers of|backed|back|backs|backing|funded|who backs|who is backing|participated|participated in|took part|took part in|stake in|a stake in|have a stake in|has a stake in|hold a stake in|holds a stake in|join|joins|joined|take part|take part in|takes part in|participate in|participates in|participate|put money into|put money in|puts money into|puts money in|putting money into|wrote a check for|wrote checks for|wrote cheques for|wrote a cheque for|write checks for|write cheques for|writes checks for|writing checks for|bet on|bets on|first invest|first invested|first back|first backed|first fund|first funded|last invest|last invested|last back|last backed|last fund|last funded|first invest in|first invested in|last invest in|last invested in|invested recently|invested in recently|backed recently|funded recently|vcs behind|funds behind|firms behind|are behind|shareholders of|shareholders in|prefer|prefers|favor|favors|favour|favours|invest|invests',
  founds:
    'founded|co founded|cofounded|started|created|established|launched|set up|incorporated|founder of|founders of|co founder of|cofounder of|co founders of|cofounders of|invented|invent|invents',
  foundedBy: 'founded by|co founded by|cofounded by|started by|created by|established by|launched by|built by',
  works:
    'works at|worked at|work at|working at|works for|worked for|work for|working for|employed by|employed at|people at|people from|team of|team at|staff of|formerly at|left|quit|has left|have left|used to work at|used to work for|ex|employees of|employees at|alumni|alumni of|alumni from|former|ex employees of|previously at|the team at|team behind|team members of|team members at|team members',
  raised:
    'better funded|more funded|well funded|raised recently|went into|go into|goes into|flowed into|poured into|raised|raise money|raised money|raising|raising money|raising funds|raising capital|venture backed|vc backed|venture funded|vc funded|got|got funding|received|secured|closed|raised funding|got money|fundraised|receive|receives|get|gets',
  lastRound:
    'whose last round|whose latest round|whose last round was|whose latest round was|last round was|latest round was|last funding round was|latest funding round was|last raised|last raised money|whose last raise was|whose latest raise was|last raise was|latest raise was|whose most recent round was|whose most recent raise was|most recent round was|most recent raise was|last raise|latest raise was in',
  upcoming: 'upcoming|scheduled|still to come',
  held: 'held|hosted|hosts|hosting|organised|organized|starting on|takes place in|taking place in',
  common:
    'common investors|shared investors|mutual investors|investors in common|in common|share|shared|common to|both invested|both invested in|both backed|both funded|both fund|both back|both invest in|together|jointly|overlap|overlaps|overlapping',
  coInvestors:
    'co investor|co investors|coinvestor|coinvestors|co investor of|co investors of|coinvestors of|co invest|co invests|co invested|coinvest|coinvests|coinvested|co invest with|co invests with|co invested with|coinvest with|coinvests with|coinvested with|co investing with|invest with|invests with|invested with|investing with|invest most with|invest most often with|invests most often with|invested most often with|invest most frequently with|often invest with|invest alongside|invests alongside|invested alongside|investing alongside|invest together with|invests together with|invested together with|syndicate with|syndicates with|co lead with|co leads with|co led with|co led rounds with|co led deals with|co lead rounds with|co leading with',
  funding:
    'funding|fundraising|financing|venture funding|vc funding|startup funding|capital raised|funds raised|funding volume|fund raising',
  speaks:
    'speaker at|speakers at|speakers of|speak|speaks|speaking|speaking at|speak at|speaks at|spoke|spoke at|talk at|talks at|talking at|attend|attends|attending',
  titles:
    'ceo|ceos|cto|ctos|cfo|cfos|coo|coos|engineer|engineers|researcher|researchers|partner at|partners at|partner of|partners of|general partner|general partners|managing partner|managing partners|who runs|who leads|who heads|who manages|who is running|who is leading|chief executive|chief executive officer|chief technology officer|chief financial officer|head of research|heads of research|head of growth|head of marketing|head of engineering|head of product|head of business development|head of legal|head of policy|general counsel|cmo|cmos|developers at|developer at|devs at|dev at|product managers at|product manager at|designers at|lawyers at|legal counsel at|ciso|cisos|chief information security officer|chief legal officer|chief operating officer|chief scientist|chief policy officer|chief strategy officer|chief marketing officer|chief product officer|gps|gp at|gps at|gps of|general partner at|general partners at|general partner of|general partners of|developer of|developers of|devs of|dev of|clo at|clo of|cso at|cso of|cpo at|cpo of|cio at|cio of|gp of',
  per: 'per|by|each|for each|in each|broken down by|grouped by|split by|yearly|over time|over the years|trend|trends|year by year|annually|quarterly|monthly|best year|strongest year|peak year|record year|best quarter|strongest quarter|peak quarter|record quarter|best month|strongest month|peak month|record month|worst year|weakest year|slowest year|worst quarter|weakest quarter|slowest quarter|worst month|weakest month|slowest month',
  connected:
    'connected|connected to|connect|connects|connection between|connections between|connection to|linked to|link between|links between|path between|path from|path to|warm intro|warm introduction|introduction to|intro to|relationship between',
  versus:
    'compare|compared|compared with|compared to|comparison|comparison of|versus|vs|difference between|differences between|difference|compare to',
  likeness:
    'similar|like|alternative|alternatives|competitor|competitors|rival|rivals|competes with|compete with|competing with|peers of',
  lastUpdated: 'recently updated|most recently updated|last updated|recently changed',
  updated: 'updated|changed|modified|what s new|whats new|what is new|anything new',
  employees:
    'number of employees|number of employees of|number of employees at|employees|how many people work at|how many people work for|staff|employed people|headcount|people employed',
  investments:
    'investment|deal|investments|deals|angel investment|angel investments|angel deal|angel deals|angel bets|co investments|joint investments|joint deals|first deal|first deals|first investment|first investments|favourite|favorite',
  over: 'more than|over|above|greater than|exceeding|bigger than|larger than|in excess of|>',
  min: 'at least|minimum|min|no less than|not less than|upwards of|≥|>=',
  under: 'sub|sub -|less than|under|below|smaller than|fewer than|<',
  max: 'at most|maximum|max|up to|no more than|not more than|≤|<=',
  around: 'around|about|approximately|approx|roughly|circa|some|~',
  between: 'between|btw',
  after: 'after|later than|past the year',
  since: 'since|as of|from the year|beginning in|starting in',
  before: 'before|prior to|earlier than',
  until: 'until the end of|through|by the end of',
  orMore:
    'or more|and more|or higher|and higher|or beyond|and beyond|or later|and later|or above|and above|and up|onwards|or newer|+',
  orLess: 'or less|and less|or earlier|or before|or below|or fewer',
  last: 'last|past|previous|trailing',
  this: 'this|current|the current|the ongoing',
  next: 'next|coming|the coming|following',
  year: 'year|years',
  quarter: 'quarter|quarters',
  half: 'half',
  month: 'month|months',
  week: 'week|weeks',
  day: 'day|days',
  ago: 'ago|yesterday|tomorrow',
  thousand: 'k|thousand|thousands',
  million: 'm|mm|mn|mio|mil|million|millions',
  billion: 'b|bn|billion|billions',
  currency: 'usd|us dollars|dollars|dollar|bucks|euro|euros|pounds',
  months:
    'january,jan|february,feb|march,mar|april,apr|may|june,jun|july,jul|august,aug|september,sep,sept|october,oct|november,nov|december,dec',
  groups:
    'year,years,best year,strongest year,peak year,record year,worst year,weakest year,slowest year,yearly,annually,over time,over the years,trend,trends,year by year|quarter,quarters,best quarter,strongest quarter,peak quarter,record quarter,worst quarter,weakest quarter,slowest quarter,quarterly|month,months,best month,strongest month,peak month,record month,worst month,weakest month,slowest month,monthly|country,countries,nation,nations|city,cities|stage,stages,round type,round types|tag,tags,sector,sectors,category,categories,industry,industries,vertical,verticals,focus|chain,chains,blockchain,blockchains,network,networks|investor,investors,fund,funds,giver,givers,grantor,grantors|lead investor,lead investors|company,companies,startup,startups,project,projects,recipient,recipients,grantee,grantees|organization,organisation,employer,firm|event type,kind of event|investor type,kind of investor|year founded,founding year,year of foundation,founding years|type,types,kind,kinds|status,statuses',
  numbers: 'one,single,once|two,twice|three|four|five|six|seven|eight|nine|ten|eleven|twelve',
  ordinals: 'first,1st|second,2nd|third,3rd|fourth,4th',
  thirds: 'early|mid,middle|late',
  seasons: 'spring|summer|autumn,fall',
};
